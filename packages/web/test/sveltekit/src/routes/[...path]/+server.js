/** Answers every request with the handler of a test, which runs in the same process. */
const serve = ({ request }) =>
  globalThis.signalboxHandlers.get(request.headers.get("x-harness"))(request)

export { serve as DELETE, serve as GET, serve as HEAD, serve as PATCH, serve as POST, serve as PUT }
export const trailingSlash = "ignore"
