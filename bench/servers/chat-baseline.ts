/** The baseline for chats: a pass-through that streams the same upstream answer. */
import { startPassThrough } from "./startPassThrough.ts"

await startPassThrough((body) => body)
