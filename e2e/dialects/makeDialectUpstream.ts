/** The upstream for a server that speaks this dialect, such as a `ScriptedUpstream`. */
import { anthropic } from "@signalbox/anthropic"
import type { Upstream } from "@signalbox/core/upstream"
import { google } from "@signalbox/google"
import { openai } from "@signalbox/openai"
import type { ProviderDialect } from "./ProviderDialect.ts"

export const makeDialectUpstream = (
  dialect: ProviderDialect,
  url: string,
  options: { readonly slug: string; readonly name: string; readonly apiKey: string }
): Upstream => {
  switch (dialect) {
    case "chat":
      return openai({ ...options, baseUrl: `${url}/v1` })
    case "messages":
      return anthropic({ ...options, baseUrl: url })
    case "gemini":
      return google({ ...options, baseUrl: `${url}/v1beta` })
    case "responses":
      return openai({ ...options, baseUrl: `${url}/v1`, api: "responses" })
  }
}
