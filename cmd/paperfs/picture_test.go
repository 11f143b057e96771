package main

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"

	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// TestThePictureOfTheReadmeIsOfThisProgram checks that the README's picture can be made again, and that nearly all of it is still so:
// another browser draws letters a little differently.
func TestThePictureOfTheReadmeIsOfThisProgram(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "chromium")
	e := newEnvironment(t)
	made := e.path("made.png")
	cmd := programtest.Command(t, testrun.Patience(), "../../picture/make", made)
	cmd.Env = programtest.Bare("HOME="+e.home, "TMPDIR="+os.TempDir(), "PATH="+os.Getenv("PATH"), "PAPERFS="+plain(t))
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, string(said))
	shown, now := picture(t, "../../picture/paperfs.png"), picture(t, made)
	require.Equal(t, shown.Bounds(), now.Bounds())
	differ, all := 0, shown.Bounds().Dx()*shown.Bounds().Dy()
	for x := range shown.Bounds().Dx() {
		for y := range shown.Bounds().Dy() {
			if a, b := brightness(shown.At(x, y)), brightness(now.At(x, y)); max(a, b)-min(a, b) > 64 {
				differ++
			}
		}
	}
	require.Less(t, differ*100, all, "run picture/make: %d of %d points differ", differ, all)
}

func picture(t *testing.T, path string) image.Image {
	file := testrun.Must(os.Open(path))(t)
	defer file.Close()
	return testrun.Must(png.Decode(file))(t)
}

func brightness(c color.Color) uint8 { return color.GrayModel.Convert(c).(color.Gray).Y }
