/** What a call asks for that it does not get, as the warnings of the AI SDK. */
import type { SharedV4Warning } from "@ai-sdk/provider"
import type { RoutingMetadata } from "@signalbox/core/contract"

export class CallWarnings {
  readonly #warnings: Array<SharedV4Warning> = []

  unsupported(feature: string, details: string): void {
    this.#warnings.push({ type: "unsupported", feature, details })
  }

  compatible(feature: string, details: string): void {
    this.#warnings.push({ type: "compatibility", feature, details })
  }

  /** The AI SDK adds its own user agent to every call. */
  checkHeaders(headers: Readonly<Record<string, string | undefined>> | undefined): void {
    const sent = Object.keys(headers ?? {}).some((name) => name.toLowerCase() !== "user-agent")
    if (sent)
      this.unsupported("headers", "No HTTP request is made to Signalbox; use providerOptions.")
  }

  /** With the parameters that the serving endpoint was not sent, by the metadata of the route. */
  list(route: RoutingMetadata | undefined, served: Served): Array<SharedV4Warning> {
    return [
      ...this.#warnings,
      ...listDropped(route, served).map((parameter): SharedV4Warning => ({
        type: "unsupported",
        feature: parameter,
        details: `${served.provider} does not take it for ${served.model}, so it was not sent.`
      }))
    ]
  }
}

/** Who answers. */
export interface Served {
  readonly model: string
  readonly provider: string
}

const listDropped = (
  route: RoutingMetadata | undefined,
  { model, provider }: Served
): ReadonlyArray<string> => {
  const served = route?.endpoints.available.find(
    (each) => each.model === model && each.provider === provider
  )
  const dropped = route?.dropped_parameters.find(({ endpoint }) => endpoint === served?.endpoint)
  return dropped?.parameters ?? []
}
