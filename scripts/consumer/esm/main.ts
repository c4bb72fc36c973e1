/** An application of ES modules. */
import { createClient } from "@signalbox/client"
import { Signalbox, signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { ScriptedUpstream } from "@signalbox/testing"
import { decideAndStream } from "../decideAndStream.ts"

await decideAndStream("esm", { createClient, openai, ScriptedUpstream, Signalbox, signalbox })
