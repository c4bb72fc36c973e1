/** What a call asks for that it does not get, as the warnings of the AI SDK. */
import type { SharedV4Warning } from "@ai-sdk/provider"
import { isObject } from "../isObject.ts"

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
  list(
    route: Readonly<Record<string, unknown>> | undefined,
    served: Served
  ): Array<SharedV4Warning> {
    const endpoint = findEndpoint(route, served)
    const dropped = endpoint === undefined ? [] : listDropped(route, endpoint)
    return [
      ...this.#warnings,
      ...dropped.map((parameter): SharedV4Warning => ({
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

const findEndpoint = (
  route: Readonly<Record<string, unknown>> | undefined,
  { model, provider }: Served
): unknown => {
  const endpoints = route?.["endpoints"]
  const available = isObject(endpoints) ? listObjects(endpoints["available"]) : []
  return available.find((each) => each["model"] === model && each["provider"] === provider)?.[
    "endpoint"
  ]
}

const listDropped = (
  route: Readonly<Record<string, unknown>> | undefined,
  endpoint: unknown
): ReadonlyArray<string> => {
  const parameters = listObjects(route?.["dropped_parameters"]).find(
    (each) => each["endpoint"] === endpoint
  )?.["parameters"]
  return Array.isArray(parameters) ? parameters.filter((name) => typeof name === "string") : []
}

const listObjects = (value: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.isArray(value) ? value.filter(isObject) : []
