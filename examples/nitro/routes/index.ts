/** The page at the root. */
import { defineHandler } from "nitro"

export default defineHandler(() => "This page is the host's own.")
