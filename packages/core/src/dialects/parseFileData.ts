/** Reads `file_data` of OpenAI's APIs: a URL, or base64 without a statement of its type. */
import type { MediaSource } from "../conversation/Part.ts"
import { parseMediaUrl } from "../conversation/parseMediaUrl.ts"
import { findFileType } from "./mediaType.ts"

export const parseFileData = (data: string, filename: string | undefined): MediaSource =>
  /^[a-z][a-z0-9+.-]*:/i.test(data)
    ? parseMediaUrl(data)
    : { type: "base64", mediaType: findFileType(data, filename), data }
