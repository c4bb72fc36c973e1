/** Receives what of a request its provider does not get, or ignores. */

/**
 * Places by their names in the HTTP API, such as `top_k` or `messages.3.content`. Called before the request is sent, or with
 * `answer` before the answer is given, for what the provider itself says that it ignored: then it is too late to refuse.
 */
export type ChangeListener = (places: ReadonlyArray<string>, why?: "answer") => void
