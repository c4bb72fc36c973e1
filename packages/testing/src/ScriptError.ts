/** A step that does not fit its request. The client gets a 500 with the message. */
export class ScriptError extends Error {
  override readonly name = "ScriptError"
}
