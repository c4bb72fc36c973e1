/** An upstream with the models of an Azure OpenAI resource, for chats, Decisions and embeddings. */
import {
  checkOptionTypes,
  makeTokenSigner,
  type OptionTypes,
  resolveHostKey,
  type TokenProvider,
  type Upstream
} from "@signalbox/core/upstream"
import type * as Redacted from "effect/Redacted"
import { assumeOpenAiParameters } from "./assumeOpenAiParameters.ts"
import { type ChatOptions, chatOptionTypes, getHostname, toBaseUrl } from "./ChatOptions.ts"
import { makeChatUpstream } from "./makeChatUpstream.ts"
import { openAiModel, openAiServerFields } from "./openAiModel.ts"
import { openAiEmbeddings } from "./openAiEmbeddings.ts"

/**
 * The resource, and either `apiKey` or `token`. The slug defaults to `azure`, the name to `Azure`, and `checksParameters` to
 * true.
 */
export interface AzureOpenAiOptions extends ChatOptions {
  /** The name of the resource: one label of a hostname, as in `https://{resource}.openai.azure.com`. */
  readonly resource?: string | undefined
  /**
   * The URL under which `/chat/completions`, `/responses` and `/embeddings` are, instead of `resource`: a gateway, or a sovereign cloud.
   * Default `https://{resource}.openai.azure.com/openai/v1`.
   */
  readonly baseUrl?: string | undefined
  /** Sent in the header `api-key`, as customers' own keys are. Null: only customers' own credentials are used. */
  readonly apiKey?: string | Redacted.Redacted | null | undefined
  /**
   * Gets access tokens of Microsoft Entra, instead of `apiKey`: `getBearerTokenProvider` of `@azure/identity` with the scope
   * `https://cognitiveservices.azure.com/.default`.
   */
  readonly token?: TokenProvider | undefined
}

const optionTypes: OptionTypes<AzureOpenAiOptions> = {
  resource: ["string"],
  apiKey: ["string", "object", "null"],
  token: ["function"],
  baseUrl: ["string"],
  ...chatOptionTypes
}

/**
 * Chats and embeddings by the v1 API of Azure OpenAI, as `openai` does. The model of a request is a **deployment**, so the catalog names it
 * in the `model` of the endpoint. Say in `models` which deployments reason, unless their names begin like OpenAI's.
 *
 * A prompt that the content filter refuses is a `content_refused`, and an answer that it cuts has the finish reason
 * `content_filter`. Azure counts the cap of an answer toward the rate limit in advance.
 *
 * Throws a `RangeError` for an unknown option, or one of the wrong type or out of range.
 *
 * @example
 * ```ts
 * import { azureOpenai } from "@signalbox/openai"
 *
 * const upstream = azureOpenai({
 *   resource: "contoso-sweden",
 *   apiKey: process.env.AZURE_OPENAI_API_KEY,
 *   api: "responses",
 *   models: { "support-bot": { isReasoning: true } }
 * })
 * ```
 */
export const azureOpenai = (options: AzureOpenAiOptions): Upstream => {
  checkOptionTypes("azureOpenai", options, optionTypes)
  const { models, token } = options
  const baseUrl = toBaseUrl(options.baseUrl ?? toResourceUrl(options.resource), exampleUrl)
  if (token !== undefined && options.apiKey !== undefined && options.apiKey !== null) {
    throw new RangeError("azureOpenai: pass apiKey or token, not both")
  }
  return makeChatUpstream(options, {
    slug: "azure",
    name: "Azure",
    baseUrl,
    apiKey:
      token === undefined
        ? resolveHostKey({
            upstreamName: "azureOpenai",
            apiKey: options.apiKey,
            url: baseUrl,
            keyRequiredHost: getHostname(baseUrl)
          })
        : undefined,
    keyHeader: "api-key",
    signer: token === undefined ? undefined : makeTokenSigner(token),
    checksParameters: true,
    assumedParameters: assumeOpenAiParameters(models),
    // Models of other companies, such as DeepSeek's, want their `reasoning_content` back.
    refusedFields: ["reasoning", "reasoning_details"],
    takesCacheMarks: false,
    takesToolMedia: false,
    serverFields: openAiServerFields,
    findModel: () => openAiModel,
    reasoningFormat: "azure-openai-responses-v1",
    embeddings: openAiEmbeddings
  })
}

const exampleUrl = "https://my-resource.openai.azure.com/openai/v1"

const toResourceUrl = (resource: string | undefined): string => {
  if (resource === undefined) {
    throw new RangeError(`azureOpenai: pass resource, the first label of ${exampleUrl}, or baseUrl`)
  }
  if (!/^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(resource)) {
    throw new RangeError(
      `azureOpenai: resource must be one label of a hostname, such as my-resource of ${exampleUrl}; pass any other address as baseUrl`
    )
  }
  return `https://${resource}.openai.azure.com/openai/v1`
}
