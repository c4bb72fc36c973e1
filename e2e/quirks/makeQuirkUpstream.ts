/** The upstream that Signalbox has for a provider in the table of quirks, and the parameters that its endpoints should list. */
import { anthropic } from "@signalbox/anthropic"
import type { Upstream } from "@signalbox/core/upstream"
import { google } from "@signalbox/google"
import {
  azureOpenai,
  cerebras,
  deepseek,
  fireworks,
  groq,
  lmstudio,
  mistral,
  moonshot,
  ollama,
  openai,
  parameterLists,
  together,
  vllm,
  xai
} from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import type { QuirkDialect, QuirkProvider } from "@signalbox/testing"

const presets = {
  cerebras,
  deepseek,
  fireworks,
  groq,
  lmstudio,
  mistral,
  moonshot,
  ollama,
  together,
  vllm,
  xai
}

export const makeQuirkUpstream = (
  provider: QuirkProvider,
  dialect: QuirkDialect,
  slug: string,
  url: string
): Upstream => {
  const options = { slug, name: slug, apiKey: `sk-${slug}`, baseUrl: `${url}/v1` }
  switch (provider) {
    case "anthropic":
      return anthropic({ ...options, baseUrl: url })
    case "gemini":
      return google({ ...options, baseUrl: `${url}/v1beta` })
    case "azure":
      return azureOpenai({ ...options, baseUrl: `${url}/openai/v1` })
    case "openrouter":
      return openrouter({ ...options, baseUrl: `${url}/api/v1` })
    case "geminiOpenai":
    case "litellm":
    case "llamacpp":
    case "openai":
    case "other":
      return openai({ ...options, api: dialect === "responses" ? "responses" : "chat" })
    case "cerebras":
    case "deepseek":
    case "fireworks":
    case "groq":
    case "lmstudio":
    case "mistral":
    case "moonshot":
    case "ollama":
    case "together":
    case "vllm":
    case "xai":
      return presets[provider](options)
  }
}

/** Undefined: every parameter is passed on. */
export const findParameterList = (
  provider: QuirkProvider,
  dialect: QuirkDialect,
  model: string
): ReadonlyArray<string> | undefined => {
  switch (provider) {
    case "azure":
    case "openai":
      if (dialect === "responses") return parameterLists.openaiResponses
      return /^gpt-5|^o\d/.test(model) ? parameterLists.openaiReasoning : parameterLists.openai
    case "geminiOpenai":
      return parameterLists.gemini
    case "cerebras":
    case "deepseek":
    case "fireworks":
    case "groq":
    case "lmstudio":
    case "mistral":
    case "moonshot":
    case "ollama":
    case "together":
    case "vllm":
    case "xai":
      return parameterLists[provider]
    case "anthropic":
    case "gemini":
    case "litellm":
    case "llamacpp":
    case "openrouter":
    case "other":
      return undefined
  }
}
