// Package check tells what contradicts itself between memory, rows and files of a media store:
// while it is in use, and when nobody has it open. It changes nothing, and takes no lock: who
// asks holds those of what he gives.
package check
