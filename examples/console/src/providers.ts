/** The real providers: each with its upstream, a few models, and the variables of the environment that enable it. */
import type { ModelConfig } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { anthropic } from "@signalbox/anthropic"
import { bedrock } from "@signalbox/bedrock"
import { google } from "@signalbox/google"
import { azureOpenai, openai, parameterLists } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"

/** Models with the upstreams that serve them. */
export interface ProviderSetup {
  readonly upstreams: ReadonlyArray<Upstream>
  readonly models: ReadonlyArray<ModelConfig>
  /** The environment variable that enables them; absent: none. */
  readonly key?: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** USD per token, as of November 2026. A cost that the upstream reports takes precedence. */
const claudeHaiku = {
  prompt: "0.000001",
  completion: "0.000005",
  input_cache_read: "0.0000001",
  input_cache_write: "0.00000125"
}

const makers: ReadonlyArray<(environment: Environment) => ProviderSetup | undefined> = [
  ({ OPENAI_API_KEY: apiKey }) =>
    apiKey
      ? {
          key: "OPENAI_API_KEY",
          upstreams: [openai({ apiKey })],
          models: [
            {
              id: "openai/gpt-6-luna",
              endpoints: [
                {
                  provider: "openai",
                  model: "gpt-6-luna",
                  price: { prompt: "0.0000001", completion: "0.0000005" },
                  // Longer prompts would cost twice the price.
                  contextLength: 272_000,
                  supportedParameters: parameterLists.openaiReasoning
                }
              ]
            },
            {
              // Shuts down on 2027-01-14. Its probabilities are read from logprobs, not stated.
              id: "openai/gpt-4o-mini",
              endpoints: [
                {
                  provider: "openai",
                  model: "gpt-4o-mini",
                  price: { prompt: "0.00000015", completion: "0.0000006" },
                  contextLength: 128_000,
                  supportedParameters: parameterLists.openai
                }
              ]
            }
          ]
        }
      : undefined,
  // Models for Decisions, which charge only for input.
  ({ OPENROUTER_API_KEY: apiKey }) =>
    apiKey
      ? {
          key: "OPENROUTER_API_KEY",
          upstreams: [openrouter({ apiKey })],
          models: [
            {
              id: "typesafe/jev-1.13",
              endpoints: [
                {
                  provider: "openrouter",
                  price: { prompt: "0.000000042", completion: "0" },
                  contextLength: 32_000
                }
              ]
            },
            {
              id: "inception/mercury-decide",
              endpoints: [
                {
                  provider: "openrouter",
                  price: { prompt: "0.00000002", completion: "0" },
                  contextLength: 65_536
                }
              ]
            }
          ]
        }
      : undefined,
  ({ ANTHROPIC_API_KEY: apiKey }) =>
    apiKey
      ? {
          key: "ANTHROPIC_API_KEY",
          upstreams: [anthropic({ apiKey })],
          models: [
            {
              id: "anthropic/claude-haiku-4.5",
              endpoints: [
                {
                  provider: "anthropic",
                  model: "claude-haiku-4-5",
                  price: claudeHaiku,
                  contextLength: 200_000
                }
              ]
            }
          ]
        }
      : undefined,
  ({ GEMINI_API_KEY: apiKey }) =>
    apiKey
      ? {
          key: "GEMINI_API_KEY",
          upstreams: [google({ apiKey })],
          models: [
            {
              id: "google/gemini-3.5-flash",
              endpoints: [
                {
                  provider: "google-ai-studio",
                  model: "gemini-3.5-flash",
                  price: {
                    prompt: "0.0000015",
                    completion: "0.000009",
                    input_cache_read: "0.00000015"
                  },
                  contextLength: 1_048_576
                }
              ]
            }
          ]
        }
      : undefined,
  ({
    AZURE_OPENAI_API_KEY: apiKey,
    AZURE_OPENAI_DEPLOYMENT: deployment,
    AZURE_OPENAI_RESOURCE: resource
  }) =>
    apiKey && resource
      ? {
          key: "AZURE_OPENAI_API_KEY",
          upstreams: [azureOpenai({ resource, apiKey })],
          models: [
            {
              id: "openai/gpt-5.4-mini",
              endpoints: [
                {
                  provider: "azure",
                  model: deployment || "gpt-5.4-mini",
                  price: {
                    prompt: "0.00000075",
                    completion: "0.0000045",
                    input_cache_read: "0.000000075"
                  },
                  contextLength: 272_000,
                  supportedParameters: parameterLists.openaiReasoning
                }
              ]
            }
          ]
        }
      : undefined,
  ({
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_REGION: region,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken
  }) =>
    accessKeyId && secretAccessKey && region
      ? {
          key: "AWS_ACCESS_KEY_ID",
          upstreams: [
            bedrock({
              region,
              credentials: {
                accessKeyId,
                secretAccessKey,
                ...(sessionToken ? { sessionToken } : undefined)
              }
            })
          ],
          models: [
            {
              id: "anthropic/claude-haiku-4.5",
              endpoints: [
                {
                  provider: "amazon-bedrock",
                  model: "anthropic.claude-haiku-4-5",
                  price: claudeHaiku,
                  contextLength: 200_000
                }
              ]
            }
          ]
        }
      : undefined
]

/** The providers whose variables are set. */
export const listProviders = (environment: Environment): ReadonlyArray<ProviderSetup> =>
  makers.flatMap((make) => make(environment) ?? [])

/** One model for each id, with the endpoints of all providers that serve it. */
export const joinModels = (setups: ReadonlyArray<ProviderSetup>): ReadonlyArray<ModelConfig> => {
  const models = new Map<string, ModelConfig>()
  for (const model of setups.flatMap((setup) => setup.models)) {
    const known = models.get(model.id)
    const endpoints = [...(known?.endpoints ?? []), ...(model.endpoints ?? [])]
    models.set(model.id, { ...model, endpoints })
  }
  return Array.from(models.values())
}
