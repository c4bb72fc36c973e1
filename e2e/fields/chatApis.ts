/** The three APIs of chats with the table of their fields, and what is sent beside a field. */
import { chatContent } from "./chatContent.ts"
import { chatParameters } from "./chatParameters.ts"
import { messagesFields } from "./messagesFields.ts"
import { responsesFields } from "./responsesFields.ts"

export const chatApis = [
  {
    name: "chat",
    title: "Chats",
    path: "/api/v1/chat/completions",
    schema: "ChatRequest",
    base: { messages: [{ role: "user", content: "Is it calm?" }] },
    rows: [...chatParameters, ...chatContent]
  },
  {
    name: "messages",
    title: "Messages",
    path: "/api/v1/messages",
    schema: "MessagesRequest",
    base: { messages: [{ role: "user", content: "Is it calm?" }], max_tokens: 3_000 },
    rows: messagesFields
  },
  {
    name: "responses",
    title: "Responses",
    path: "/api/v1/responses",
    schema: "ResponsesRequest",
    base: { input: "Is it calm?" },
    rows: responsesFields
  }
] as const
