/** An upstream with the Claude models of an Azure Foundry resource, for chats and Decisions. */
import {
  checkOptionTypes,
  makeTokenSigner,
  type OptionTypes,
  resolveHostKey,
  type TokenProvider,
  type Upstream
} from "@signalbox/core/upstream"
import type * as Redacted from "effect/Redacted"
import { type ChatOptions, chatOptionTypes, getHostname, toRootUrl } from "./ChatOptions.ts"
import { makeMessagesUpstream } from "./makeMessagesUpstream.ts"

/**
 * The resource, and either `apiKey` or `token`. The slug defaults to `azure-foundry`, the name to `Azure Foundry`.
 */
export interface AzureFoundryOptions extends ChatOptions {
  /** The name of the resource: one label of a hostname, as in `https://{resource}.services.ai.azure.com`. */
  readonly resource?: string | undefined
  /**
   * The URL under which `/v1/messages` is, instead of `resource`: a gateway, or a sovereign cloud. Default
   * `https://{resource}.services.ai.azure.com/anthropic`.
   */
  readonly baseUrl?: string | undefined
  /** Sent in the header `api-key`, as customers' own keys are. Null: only customers' own credentials are used. */
  readonly apiKey?: string | Redacted.Redacted | null | undefined
  /**
   * Gets access tokens of Microsoft Entra, instead of `apiKey`: `getBearerTokenProvider` of `@azure/identity` with the scope
   * `https://ai.azure.com/.default`.
   */
  readonly token?: TokenProvider | undefined
}

const optionTypes: OptionTypes<AzureFoundryOptions> = {
  resource: ["string"],
  baseUrl: ["string"],
  apiKey: ["string", "object", "null"],
  token: ["function"],
  ...chatOptionTypes
}

/**
 * Chats and Decisions as those of `anthropic`. The model of a request is a **deployment**, so the catalog names it in the
 * `model` of the endpoint. Say in `models` what a deployment takes, unless its name is that of the model.
 *
 * Throws a `RangeError` for an unknown option, or one of the wrong type or out of range.
 *
 * @example
 * ```ts
 * import { azureFoundry } from "@signalbox/anthropic"
 *
 * const upstream = azureFoundry({
 *   resource: "contoso-sweden",
 *   apiKey: process.env.AZURE_FOUNDRY_API_KEY,
 *   models: { "support-bot": { maxOutputTokens: 128_000, takesSystemTurns: true } }
 * })
 * ```
 */
export const azureFoundry = (options: AzureFoundryOptions): Upstream => {
  checkOptionTypes("azureFoundry", options, optionTypes)
  const { apiKey, baseUrl, resource, token } = options
  if (token !== undefined && apiKey !== undefined && apiKey !== null) {
    throw new RangeError("azureFoundry: pass apiKey or token, not both")
  }
  const root = toRootUrl(baseUrl ?? toResourceUrl(resource), exampleUrl)
  return makeMessagesUpstream(options, {
    slug: "azure-foundry",
    name: "Azure Foundry",
    root,
    apiKey:
      token === undefined
        ? resolveHostKey({
            upstreamName: "azureFoundry",
            apiKey,
            url: root,
            keyRequiredHost: getHostname(root)
          })
        : undefined,
    keyHeader: "api-key",
    signer: token === undefined ? undefined : makeTokenSigner(token)
  })
}

const exampleUrl = "https://my-resource.services.ai.azure.com/anthropic"

const toResourceUrl = (resource: string | undefined): string => {
  if (resource === undefined) {
    throw new RangeError(
      `azureFoundry: pass resource, the first label of ${exampleUrl}, or baseUrl`
    )
  }
  if (!/^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(resource)) {
    throw new RangeError(
      `azureFoundry: resource must be one label of a hostname, such as my-resource of ${exampleUrl}; pass any other address as baseUrl`
    )
  }
  return `https://${resource}.services.ai.azure.com/anthropic`
}
