/**
 * Fits chats to a server with OpenAI's chat API: replaces or removes what the server is known to refuse, and reports
 * each change.
 */
import type { ChatEndpoint } from "./makeChatCompletions.ts"
import { RequestChanges, reportChanges } from "../RequestChanges.ts"
import type { ChatServerModel } from "./ChatServerModel.ts"
import { fitMessages } from "./fitMessages.ts"
import { fitParameters } from "./fitParameters.ts"

/** `findModel` returns the rules of a model, by its name at the upstream; called for each chat. */
export const makeChatFit = (
  findModel: (model: string) => ChatServerModel
): NonNullable<ChatEndpoint["fit"]> => {
  return (body, call) => {
    const model = findModel(call.model)
    const changes = new RequestChanges()
    const messages = fitMessages(body.messages, call, model, changes)
    const fitted = fitParameters(body, call, model, changes)
    reportChanges(call, changes)
    return messages === body.messages && fitted === body ? body : { ...fitted, messages }
  }
}
