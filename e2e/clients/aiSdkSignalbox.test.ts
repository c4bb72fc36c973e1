/** The AI SDK over an instance in its own process: the scenarios of every client, without HTTP between. */
import { signalboxProvider } from "@signalbox/ai-sdk"
import * as latest from "ai"
import * as lowest from "ai-lowest"
import { type AiSdk, makeAiSdkClient } from "./makeAiSdkClient.ts"
import { testChatClient } from "./testChatClient.ts"

const versions: ReadonlyArray<readonly [string, AiSdk]> = [
  ["ai", latest],
  // Their types differ in what no test uses.
  ["the lowest version of ai", lowest as unknown as AiSdk]
]

for (const [name, sdk] of versions) {
  testChatClient(
    import.meta.filename,
    makeAiSdkClient({
      name: `${name} with @signalbox/ai-sdk`,
      sdk,
      isInProcess: true,
      make: ({ instance, model }) => signalboxProvider(instance)(model),
      returnsReasoning: true
    })
  )
}
