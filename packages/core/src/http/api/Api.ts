/** The contract: every operation, its parameters, answers and errors. It knows no service. */
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { DecisionsApi } from "./DecisionsApi.ts"
import { OperationsApi } from "./OperationsApi.ts"

/** What the contract's own router serves; Decisions, the hot path, go around it. */
export class RoutedApi extends HttpApi.make("signalbox").add(OperationsApi) {}

export class Api extends HttpApi.make("signalbox")
  .add(DecisionsApi)
  .addHttpApi(RoutedApi)
  .annotateMerge(
    OpenApi.annotations({
      title: "Signalbox",
      version: "1.0.0",
      description: "Model routing, wire-compatible with the OpenRouter API",
      license: { name: "MIT", url: "https://opensource.org/license/mit" }
    })
  ) {}
