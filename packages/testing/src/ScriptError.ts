/** A script that does not fit what it was asked; the client sees it as a 500 that says so. */
export class ScriptError extends Error {
  override readonly name = "ScriptError"
}
