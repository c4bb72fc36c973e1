/** What `signalbox init` writes. */

/** What serves the instance: an Express application, or `signalbox serve`. */
type HostName = "express" | "standalone"

/** The provider of the first model. */
export type ProviderName = "anthropic" | "google" | "openai"

export interface FolderPlan {
  readonly host: HostName
  readonly provider: ProviderName
  /** The version of the command line, which is that of the other packages. */
  readonly version: string
}

interface ProviderFacts {
  readonly variable: string
  /** A small model that it serves. */
  readonly model: string
}

export const providers: Readonly<Record<ProviderName, ProviderFacts>> = {
  anthropic: { variable: "ANTHROPIC_API_KEY", model: "anthropic/claude-haiku-4-5" },
  google: { variable: "GEMINI_API_KEY", model: "google/gemini-2.5-flash" },
  openai: { variable: "OPENAI_API_KEY", model: "openai/gpt-5-mini" }
}
