/** What servers refuse that are also reached by `openai`, with a slug or an address of theirs. */
import { type ChatServerModel, toMoonshotSchema } from "@signalbox/core/dialects"
import { getHostname } from "./ChatOptions.ts"

/** Of the model at the server; nothing: of it nothing is known. */
export const findServerQuirks = (
  { baseUrl, slug }: { readonly baseUrl: string; readonly slug: string | undefined },
  model: string
): ChatServerModel => {
  if (slug?.startsWith("moonshot") === true || isMoonshot(getHostname(baseUrl))) {
    return { ...moonshot, ...(drawsByDefault.test(model) ? { takesSampling: false } : undefined) }
  }
  if (slug !== undefined && llamaCppSlugs.test(slug)) return { needsParameters: true }
  return slug !== undefined && lmStudioSlugs.test(slug) ? lmStudio : {}
}

const isMoonshot = (hostname: string): boolean => /\.moonshot\.(?:ai|cn)$/.test(hostname)

const moonshot: ChatServerModel = {
  // https://github.com/can1357/oh-my-pi/pull/1078
  forcesWhileThinking: false,
  // It refuses `reasoning_effort: "none"` (https://github.com/Kilo-Org/cloud/pull/3807).
  reasoningParameters: ["reasoning_effort", "thinking"],
  reasoningField: "reasoning_content",
  fitSchema: toMoonshotSchema
}

/** "invalid temperature: only 1 is allowed for this model" (https://github.com/HKUDS/nanobot/pull/4967). */
const drawsByDefault = /kimi-k(?:2\.[5-9]|[3-9])/

/** https://github.com/ggml-org/llama.cpp/issues/17667 */
const llamaCppSlugs = /^llama[-_.]?cpp/

const lmStudioSlugs = /^lm[-_.]?studio/

const lmStudio: ChatServerModel = {
  // https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/670
  takesNamedTool: false,
  // https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/189
  takesAnyJson: false
}
