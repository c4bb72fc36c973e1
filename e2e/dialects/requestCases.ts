/** The hard cases of requests: the messages of a chat, and what of them the provider gets. */
import type { Json } from "./NativeAnswer.ts"
import type { ProviderDialect } from "./ProviderDialect.ts"

/** Words of the error; nothing is sent. */
export interface Refused {
  readonly refused: string
}

/** The conversation in the provider's body; `same`: the messages as they are. */
export type Sent = Json | Refused | "same"

export const isRefused = (sent: Sent): sent is Refused =>
  sent !== "same" && typeof sent["refused"] === "string"

export interface RequestCase {
  readonly name: string
  readonly messages: ReadonlyArray<Json>
  readonly sent: Readonly<Record<ProviderDialect, Sent>>
  /** Differences by the API of the request. Default: for a provider of the same API as it came, else `sent`. */
  readonly by?: Readonly<
    Partial<
      Record<"chat" | "messages" | "responses", Readonly<Partial<Record<ProviderDialect, Sent>>>>
    >
  >
}

const user = (content: unknown = "Is it calm at sea?"): Json => ({ role: "user", content })
const assistant = (...calls: ReadonlyArray<Json>): Json => ({
  role: "assistant",
  content: null,
  tool_calls: calls
})
const call = (id: string, given = '{"at":1}'): Json => ({
  id,
  type: "function",
  function: { name: "look", arguments: given }
})
const result = (tool_call_id: string, content: unknown = `seen by ${tool_call_id}`): Json => ({
  role: "tool",
  tool_call_id,
  content
})

const text = (said: string): Json => ({ type: "text", text: said })
const asked = "Is it calm at sea?"

const toolUse = (id: string): Json => ({ type: "tool_use", id, name: "look", input: { at: 1 } })
const toolResult = (id: string, content: ReadonlyArray<Json> = [text(`seen by ${id}`)]): Json => ({
  type: "tool_result",
  tool_use_id: id,
  content
})
const functionCall = (id: string): Json => ({
  functionCall: { id, name: "look", args: { at: 1 } }
})
/** The first call of a step needs a signature, and history of other providers has no signatures. */
const firstCall = (id: string): Json => ({
  ...functionCall(id),
  thoughtSignature: "skip_thought_signature_validator"
})
const functionResponse = (id: string, response: Json = { output: `seen by ${id}` }): Json => ({
  functionResponse: { id, name: "look", response }
})
const callItem = (call_id: string): Json => ({
  type: "function_call",
  call_id,
  name: "look",
  arguments: '{"at":1}'
})
const outputItem = (call_id: string, output: unknown = `seen by ${call_id}`): Json => ({
  type: "function_call_output",
  call_id,
  output
})
const item = (role: string, content: unknown): Json => ({ type: "message", role, content })
const spoken = (said: string): Json => item("assistant", [{ type: "output_text", text: said }])
const words = (said: string): Json => ({ text: said })
const parts = (role: string, ...all: ReadonlyArray<Json>): Json => ({ role, parts: all })
const blocks = (role: string, ...content: ReadonlyArray<Json>): Json => ({ role, content })

const interrupted = "The call was interrupted and returned no result."
const png = "iVBORw0KGgo="
const image: Json = { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } }

const base64Image: Json = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: png }
}
const inputImage: Json = {
  type: "input_image",
  image_url: `data:image/png;base64,${png}`,
  detail: "auto"
}
const withMedia = ({ functionResponse: response }: Json): Json => ({
  functionResponse: {
    ...Object(response),
    parts: [{ inlineData: { mimeType: "image/png", data: png } }]
  }
})

const refused = (said: string) => ({
  chat: "same" as const,
  messages: { refused: said },
  gemini: { refused: said },
  responses: { refused: said }
})

/** Only the conversation, in the field where each dialect has it. */
const inEach = (
  said: Readonly<Record<"gemini" | "messages" | "responses", ReadonlyArray<Json>>>
) => ({
  chat: "same" as const,
  messages: { messages: said.messages },
  gemini: { contents: said.gemini },
  responses: { input: said.responses }
})

/** The API itself requires it, so every provider's route refuses the request. */
const refusedAnywhere = (said: string) => ({ ...refused(said), chat: { refused: said } })

/** Most servers of the chat API refuse pictures in results. */
const shownBehind: Json = {
  messages: [
    user([text(asked)]),
    { role: "assistant", tool_calls: [call("a"), call("b")] },
    result("a", [text("seen")]),
    result("b", [text("The result is in the next message.")]),
    user([image, image])
  ]
}

export const requestCases: ReadonlyArray<RequestCase> = [
  {
    name: "5. arguments in the history that were cut by the cap",
    messages: [user(), assistant(call("call_cut", '{"at":"the s')), result("call_cut")],
    sent: inEach({
      messages: [
        blocks("user", text(asked)),
        blocks("assistant", {
          ...toolUse("call_cut"),
          input: { invalid_arguments: '{"at":"the s' }
        }),
        blocks("user", toolResult("call_cut"))
      ],
      gemini: [
        parts("user", words(asked)),
        parts("model", {
          functionCall: {
            id: "call_cut",
            name: "look",
            args: { invalid_arguments: '{"at":"the s' }
          },
          thoughtSignature: "skip_thought_signature_validator"
        }),
        parts("user", functionResponse("call_cut"))
      ],
      // Arguments are text there.
      responses: [
        item("user", asked),
        { ...callItem("call_cut"), arguments: '{"at":"the s' },
        outputItem("call_cut")
      ]
    })
  },
  {
    name: "21. a result without its call",
    messages: [user(), result("call_nobody"), user("And now?")],
    sent: refused("call_nobody"),
    by: {
      messages: refusedAnywhere("call_nobody"),
      responses: refusedAnywhere("call_nobody")
    }
  },
  {
    name: "21. a result before its call",
    messages: [user(), result("call_early"), assistant(call("call_early"))],
    sent: refused("call_early"),
    by: {
      messages: refusedAnywhere("call_early"),
      responses: refusedAnywhere("call_early")
    }
  },
  {
    name: "22. results in another order than their calls, over several messages",
    messages: [user(), assistant(call("a"), call("b")), result("b"), result("a"), user("And now?")],
    sent: inEach({
      messages: [
        blocks("user", text(asked)),
        blocks("assistant", toolUse("a"), toolUse("b")),
        blocks("user", toolResult("a"), toolResult("b"), text("And now?"))
      ],
      gemini: [
        parts("user", words(asked)),
        parts("model", functionCall("a"), functionCall("b")),
        parts("user", functionResponse("a"), functionResponse("b"), words("And now?"))
      ],
      responses: [
        item("user", asked),
        callItem("a"),
        callItem("b"),
        outputItem("a"),
        outputItem("b"),
        item("user", "And now?")
      ]
    })
  },
  {
    name: "23. a call without a result",
    messages: [user(), assistant(call("a"), call("b")), result("b"), user("And now?")],
    sent: inEach({
      messages: [
        blocks("user", text(asked)),
        blocks("assistant", toolUse("a"), toolUse("b")),
        blocks(
          "user",
          { ...toolResult("a", [text(interrupted)]), is_error: true },
          toolResult("b"),
          text("And now?")
        )
      ],
      gemini: [
        parts("user", words(asked)),
        parts("model", functionCall("a"), functionCall("b")),
        parts(
          "user",
          functionResponse("a", { error: interrupted }),
          functionResponse("b"),
          words("And now?")
        )
      ],
      responses: [
        item("user", asked),
        callItem("a"),
        callItem("b"),
        outputItem("a", `Error: ${interrupted}`),
        outputItem("b"),
        item("user", "And now?")
      ]
    })
  },
  {
    name: "24. nothing said: an empty text, an empty list and null",
    messages: [
      user([text(""), text(asked)]),
      { role: "assistant", content: "" },
      user("Hello?"),
      assistant(call("a")),
      result("a", ""),
      { role: "assistant", content: [] }
    ],
    sent: inEach({
      messages: [
        blocks("user", text(asked), text("Hello?")),
        blocks("assistant", toolUse("a")),
        blocks("user", { type: "tool_result", tool_use_id: "a" })
      ],
      gemini: [
        parts("user", words(asked), words("Hello?")),
        parts("model", firstCall("a")),
        parts("user", functionResponse("a", { output: "" }))
      ],
      responses: [
        item("user", [
          { type: "input_text", text: "" },
          { type: "input_text", text: asked }
        ]),
        item("user", "Hello?"),
        callItem("a"),
        outputItem("a", "")
      ]
    }),
    // Empty items of the model are left out, and Claude refuses texts and messages that are empty.
    by: {
      messages: {
        chat: {
          messages: [
            user([text(""), text(asked)]),
            { role: "assistant", content: [text("")] },
            user([text("Hello?")]),
            { role: "assistant", tool_calls: [call("a")] },
            result("a", [text("")])
          ]
        },
        messages: {
          messages: [
            blocks("user", text(asked)),
            blocks("user", text("Hello?")),
            blocks("assistant", toolUse("a")),
            blocks("user", { type: "tool_result", tool_use_id: "a" })
          ]
        }
      },
      responses: {
        chat: {
          messages: [
            user([text(""), text(asked)]),
            user([text("Hello?")]),
            { role: "assistant", tool_calls: [call("a")] },
            result("a", [text("")])
          ]
        }
      }
    }
  },
  {
    name: "25. images in the results of two calls",
    messages: [
      user(),
      assistant(call("a"), call("b")),
      result("a", [text("seen"), image]),
      result("b", [image])
    ],
    sent: inEach({
      messages: [
        blocks("user", text(asked)),
        blocks("assistant", toolUse("a"), toolUse("b")),
        blocks("user", toolResult("a", [text("seen"), base64Image]), toolResult("b", [base64Image]))
      ],
      gemini: [
        parts("user", words(asked)),
        parts("model", firstCall("a"), functionCall("b")),
        parts(
          "user",
          withMedia(functionResponse("a", { output: "seen" })),
          withMedia(functionResponse("b", { output: "" }))
        )
      ],
      responses: [
        item("user", asked),
        callItem("a"),
        callItem("b"),
        outputItem("a", [{ type: "input_text", text: "seen" }, inputImage]),
        outputItem("b", [inputImage])
      ]
    }),
    by: { messages: { chat: shownBehind }, responses: { chat: shownBehind } }
  },
  {
    name: "26. two instructions first, and one in the middle",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "developer", content: "Be kind." },
      user(),
      { role: "system", content: "Rhyme from now on." },
      { role: "assistant", content: "The sea is free." },
      user("And now?")
    ],
    sent: {
      chat: "same",
      messages: {
        system: [text("Be brief."), text("Be kind.")],
        messages: [
          blocks("user", text(asked)),
          blocks("system", text("Rhyme from now on.")),
          blocks("assistant", text("The sea is free.")),
          blocks("user", text("And now?"))
        ]
      },
      gemini: {
        systemInstruction: { parts: [words("Be brief."), words("Be kind.")] },
        contents: [
          parts("user", words(asked), words("<system>\nRhyme from now on.\n</system>")),
          parts("model", words("The sea is free.")),
          parts("user", words("And now?"))
        ]
      },
      responses: {
        instructions: "Be brief.",
        input: [
          item("system", "Be kind."),
          item("user", asked),
          item("system", "Rhyme from now on."),
          spoken("The sea is free."),
          item("user", "And now?")
        ]
      }
    },
    by: {
      // The role `developer` is known to OpenAI alone.
      chat: {
        chat: {
          messages: [
            { role: "system", content: "Be brief." },
            { role: "system", content: "Be kind." },
            user(),
            { role: "system", content: "Rhyme from now on." },
            { role: "assistant", content: "The sea is free." },
            user("And now?")
          ]
        }
      },
      // All first instructions are one list there, and no role is called `developer`.
      messages: {
        chat: {
          messages: [
            { role: "system", content: [text("Be brief."), text("Be kind.")] },
            user([text(asked)]),
            { role: "system", content: [text("Rhyme from now on.")] },
            { role: "assistant", content: [text("The sea is free.")] },
            user([text("And now?")])
          ]
        },
        responses: {
          input: [
            item("system", [
              { type: "input_text", text: "Be brief." },
              { type: "input_text", text: "Be kind." }
            ]),
            item("user", asked),
            item("system", "Rhyme from now on."),
            spoken("The sea is free."),
            item("user", "And now?")
          ]
        }
      },
      responses: {
        chat: {
          messages: [
            { role: "system", content: [text("Be brief.")] },
            { role: "system", content: [text("Be kind.")] },
            user([text(asked)]),
            { role: "system", content: [text("Rhyme from now on.")] },
            { role: "assistant", content: [text("The sea is free.")] },
            user([text("And now?")])
          ]
        }
      }
    }
  },
  {
    name: "27. the last message from the assistant",
    messages: [user(), { role: "assistant", content: "The sea is " }],
    sent: {
      ...inEach({
        messages: [],
        gemini: [parts("user", words(asked)), parts("model", words("The sea is "))],
        responses: [item("user", asked), spoken("The sea is ")]
      }),
      messages: { refused: "a model that continues the beginning of an answer" }
    },
    by: {
      messages: { messages: { refused: "for messages.1" } }
    }
  },
  {
    name: "28. the same role in a row",
    messages: [
      user(),
      user("Tell me."),
      { role: "assistant", content: "It is" },
      { role: "assistant", content: "calm." },
      user("And now?")
    ],
    sent: inEach({
      messages: [
        blocks("user", text(asked), text("Tell me.")),
        blocks("assistant", text("It is"), text("calm.")),
        blocks("user", text("And now?"))
      ],
      gemini: [
        parts("user", words(asked), words("Tell me.")),
        parts("model", words("It is"), words("calm.")),
        parts("user", words("And now?"))
      ],
      responses: [
        item("user", asked),
        item("user", "Tell me."),
        spoken("It is"),
        spoken("calm."),
        item("user", "And now?")
      ]
    })
  },
  {
    name: "28. the assistant first",
    messages: [{ role: "assistant", content: "Ahoy!" }, user()],
    sent: {
      chat: "same",
      messages: { messages: [blocks("assistant", text("Ahoy!")), blocks("user", text(asked))] },
      gemini: { refused: "must begin with a message of the user" },
      responses: { input: [spoken("Ahoy!"), item("user", asked)] }
    }
  }
]
