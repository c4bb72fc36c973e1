/** An application of CommonJS modules, which requires the ES modules of the packages. */
const { createClient } = require("@signalbox/client")
const { Signalbox, signalbox } = require("@signalbox/node")
const { openai } = require("@signalbox/openai")
const { ScriptedUpstream } = require("@signalbox/testing")
const { decideAndStream } = require("../decideAndStream.ts")

void decideAndStream("commonjs", { createClient, openai, ScriptedUpstream, Signalbox, signalbox })
