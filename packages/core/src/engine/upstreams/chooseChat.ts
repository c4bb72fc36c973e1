/** Joins chats of one provider whose models have different APIs. */
import type { ChatCapability } from "./ChatCapability.ts"

/** `choose` gets the model's name at the upstream, and should return the same capability for the same name. */
export const chooseChat = (choose: (model: string) => ChatCapability): ChatCapability => ({
  complete: (call) => choose(call.model).complete(call),
  stream: (call) => choose(call.model).stream(call),
  estimateWorstCase: (call) => choose(call.model).estimateWorstCase(call),
  dialect: (model) => {
    const { dialect = "chat" } = choose(model)
    return typeof dialect === "function" ? dialect(model) : dialect
  },
  refusesPrefill: (model) => choose(model).refusesPrefill?.(model) ?? false,
  reasoningFamily: (model) => {
    const { reasoningFamily } = choose(model)
    return typeof reasoningFamily === "function" ? reasoningFamily(model) : reasoningFamily
  }
})
