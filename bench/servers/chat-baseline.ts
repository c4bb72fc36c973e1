/** The yardstick of chats: a pass-through that streams the same upstream answer. */
import { passThrough } from "./passThrough.ts"

await passThrough((body) => body)
