/** Answers with the handler that the test has registered. */
export default ({ req }) => globalThis.signalboxHandlers.get(req.headers.get("x-harness"))(req)
