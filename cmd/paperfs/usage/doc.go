// Package usage has what the commands share: their help ([Text]), flags in groups ([GroupFlags]), values
// that are words or sizes ([Choose], [Size]), and the errors of a wrong call.
//
// A wrong command line or environment is an [Error]: the program then ends with exit.Usage, and names
// the help of the command. The package has no state.
package usage
