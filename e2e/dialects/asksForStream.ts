/** Whether a provider is asked for a stream: by its body, or in Gemini by its path. */
import type { ReceivedRequest } from "@signalbox/testing/recording"
import { getProperty } from "../support/getProperty.ts"

export const asksForStream = ({ json, url }: ReceivedRequest): boolean =>
  getProperty(json, "stream") === true || url?.includes(":streamGenerateContent") === true
