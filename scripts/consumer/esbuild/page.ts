/** What a page takes of the client. */
export { createClient } from "@signalbox/client"
