/** The page at the root. */
export const GET = (): Response => new Response("This page is the host's own.")
