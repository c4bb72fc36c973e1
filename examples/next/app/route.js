/** The page at the root. */
export const GET = () => new Response("This page is the host's own.")

export const dynamic = "force-dynamic"
