/** The entry point for programs that contain the command line. */
export { runMain } from "./runMain.ts"
