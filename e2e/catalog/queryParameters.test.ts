/** Valid and invalid values of the catalog's query parameters. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { CatalogTestServer } from "./CatalogTestServer.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { getProperty } from "../support/getProperty.ts"
import { otherModels, textModels } from "./catalogFixture.ts"

const hosts = pickHosts(import.meta.filename)

const invalidNumbers = [
  "-1",
  "-0.1",
  "NaN",
  "Infinity",
  "1e999",
  "0x10",
  "x",
  "1,5",
  "1_000",
  "--1",
  "1 2"
]
const invalidIntegers = [...invalidNumbers, "1.5", "9007199254740992"]

/** Invalid values by operation and parameter. */
const invalidValues: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>> = {
  "/models": {
    offset: invalidIntegers,
    limit: [...invalidIntegers, "0", "1001", "0.5"],
    category: ["cooking", "Programming", "programming,legal"],
    output_modalities: ["smell", "text,smell", "Text", "text;image"],
    input_modalities: ["smell", "text,rerank", "all"],
    sort: ["beauty", "NEWEST", "newest,top-weekly", "price"],
    context: [...invalidIntegers, "0"],
    min_price: invalidNumbers,
    max_price: invalidNumbers,
    min_output_price: invalidNumbers,
    max_output_price: invalidNumbers,
    distillable: ["maybe", "1", "TRUE"],
    zdr: ["false", "1", "yes"],
    region: ["asia", "EU", "eu,us"],
    min_age_days: invalidNumbers,
    max_age_days: invalidNumbers,
    min_intelligence_index: invalidNumbers,
    max_intelligence_index: invalidNumbers,
    min_coding_index: invalidNumbers,
    max_coding_index: invalidNumbers,
    min_agentic_index: invalidNumbers,
    max_agentic_index: invalidNumbers,
    min_tool_success_rate: [...invalidNumbers, "1.1", "90"],
    max_tool_success_rate: [...invalidNumbers, "1.1", "90"],
    use_rss: ["1", "yes", "TRUE"],
    use_rss_chat_links: ["1", "yes", "TRUE"]
  },
  "/models/count": { output_modalities: ["smell", "all,smell"] },
  "/models/user": {
    offset: ["-1", "x"],
    limit: ["0", "1001", "x", "1.5"],
    output_modalities: ["smell"]
  }
}

/** Parameters that accept any text. */
const freeTextParameters = ["supported_parameters", "q", "arch", "model_authors", "providers"]

/** Conflicting values of a parameter that takes one. */
const repeatedParameters = [
  "/models?limit=1&limit=2",
  "/models?offset=0&offset=1",
  "/models?category=legal&category=finance",
  "/models?sort=newest&sort=top-weekly",
  "/models?q=alpha&q=beta",
  "/models?context=1&context=2",
  "/models?arch=GPT&arch=Claude",
  "/models?region=eu&region=us",
  "/models?distillable=true&distillable=false",
  "/models?min_price=1&min_price=2",
  "/models?max_tool_success_rate=0&max_tool_success_rate=1",
  "/models?use_rss=true&use_rss=false",
  "/models/user?limit=1&limit=2"
]

const programming = ["acme/alpha", "acme/beta"]
const gpt = ["acme/alpha", "bolt/gamma"]
const all = [...textModels, ...otherModels]

/** Unusual spellings that are valid. */
const unusualQueries: ReadonlyArray<readonly [query: string, ids: ReadonlyArray<string>]> = [
  ["supported_parameters=temperature%20,%20tools", ["acme/alpha"]],
  ["supported_parameters=temperature%2Ctools", ["acme/alpha"]],
  ["supported_parameters=temperature+%2C+tools", ["acme/alpha"]],
  ["supported_parameters=temperature&supported_parameters=tools", ["acme/alpha"]],
  ["supported_parameters=tools,tools,,tools,", programming],
  ["supported_parameters=,", textModels],
  ["supported_parameters=TOOLS", programming],
  ["supported_parameters=nothing_of_the_kind", []],
  ["supported_parameters=__proto__", []],
  ["output_modalities=image&output_modalities=video", ["acme/picture", "bolt/film"]],
  ["output_modalities=text,all", all],
  ["output_modalities=all&output_modalities=all", all],
  ["output_modalities=%20text%09", textModels],
  ["input_modalities=text&input_modalities=image", ["acme/beta"]],
  ["category=marketing%2Fseo", ["bolt/gamma"]],
  ["category=marketing/seo", ["bolt/gamma"]],
  ["category=+programming+", programming],
  ["category=legal&category=legal", ["acme/beta"]],
  ["category=legal&category=", ["acme/beta"]],
  ["q=ALPHA+one", ["acme/alpha"]],
  ["q=one%20%20alpha", ["acme/alpha"]],
  ["q=%41lpha", ["acme/alpha"]],
  ["q=acme%2Falpha", ["acme/alpha"]],
  ["q=alpha&q=alpha", ["acme/alpha"]],
  ["q=.*", []],
  ["q=%", []],
  ["q=%zz", []],
  ["q=%C0%80", []],
  ["q=%F0%9F%98%80", []],
  ["q=__proto__", []],
  ["arch=gpt", gpt],
  ["arch=GPT%20", gpt],
  ["model_authors=ACME", programming],
  ["model_authors=acme&model_authors=corp", [...programming, "corp/epsilon"]],
  ["providers=FIRST", gpt],
  ["providers=sEcOnD+hOuSe", programming],
  ["providers=Second%20House,third", ["acme/alpha", "acme/beta", "bolt/delta", "corp/epsilon"]],
  ["providers=FIRST%2FEU", ["bolt/gamma"]],
  ["providers=nobody", []],
  ["limit=+2", programming],
  ["limit=%2B2", programming],
  ["limit=2.0", programming],
  ["limit=02", programming],
  ["limit=2e0", programming],
  ["limit=2&limit=2", programming],
  ["limit=1000", textModels],
  ["offset=0", textModels],
  ["offset=-0", textModels],
  ["offset=5", []],
  ["offset=9007199254740991&limit=1000", []],
  ["max_price=0", ["bolt/gamma"]],
  ["max_price=.5", ["bolt/gamma"]],
  ["max_price=1.", gpt],
  ["min_price=9.8", ["bolt/delta"]],
  ["min_output_price=25.4&max_output_price=25.4", ["bolt/delta"]],
  ["min_price=5&max_price=1", []],
  ["min_price=1e-7&max_price=1", ["acme/alpha"]],
  ["min_tool_success_rate=1", []],
  ["min_tool_success_rate=0", ["acme/alpha", "acme/beta", "bolt/gamma"]],
  ["min_age_days=25.5", ["bolt/gamma", "bolt/delta", "corp/epsilon"]],
  ["max_age_days=1e300", textModels],
  ["min_age_days=1e300", []],
  ["use_rss=false", textModels],
  ["use_rss_chat_links=true", textModels],
  ["zdr=true&zdr=true", ["acme/alpha", "bolt/delta"]],
  ["unheard_of=1&Limit=1&limit[]=1&__proto__=1&constructor=1&=1&&", textModels]
]

/** The parameters of the operation in the OpenAPI document of the instance. */
const listParameterNames = async (
  server: CatalogTestServer,
  path: string
): Promise<ReadonlyArray<string>> => {
  const { body } = await server.ask("/openapi.json")
  const paths = getProperty(body, "paths")
  const operation = getProperty(getProperty(paths, `/api/v1${path}`), "get")
  const parameters = getProperty(operation, "parameters") as ReadonlyArray<unknown>
  return parameters.map((parameter) => String(getProperty(parameter, "name")))
}

describe.each(hosts)("the query parameters of the catalog, behind $name", (host) => {
  let server: CatalogTestServer
  beforeAll(async () => {
    server = await CatalogTestServer.start({ host })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test("do not contain U+0000, which Postgres stores in no text", async () => {
    const { code, message } = parseErrorEnvelope(await server.ask("/models?q=alpha%00"))
    expect({ code, message }).toEqual({ code: 400, message: "q: must not contain U+0000" })
  })

  test("are named in the error when they are invalid", async () => {
    for (const [path, parameters] of Object.entries(invalidValues)) {
      for (const [name, values] of Object.entries(parameters)) {
        for (const value of values) {
          const answer = await server.ask(`${path}?${name}=${encodeURIComponent(value)}`)
          const { code, message, metadata } = parseErrorEnvelope(answer)
          expect({ name, value, status: answer.status, code }).toEqual({
            name,
            value,
            status: 400,
            code: 400
          })
          expect(String(message).startsWith(`${name}: `)).toBe(true)
          expect(value).toContain(JSON.parse(/; got (".*")$/.exec(String(message))?.[1] ?? "0"))
          expect(getProperty(metadata, "path")).toEqual([name])
        }
      }
    }
  })

  test("are all covered by these tables", async () => {
    for (const [path, parameters] of Object.entries(invalidValues)) {
      const known = [...Object.keys(parameters), ...(path === "/models" ? freeTextParameters : [])]
      expect((await listParameterNames(server, path)).toSorted()).toEqual(known.toSorted())
    }
  })

  test("are ignored when they are empty", async () => {
    const names = await listParameterNames(server, "/models")
    for (const value of ["", "=", "=%20", "=+&", "=%09"]) {
      const query = names.map((name) => `${name}${value}`).join("&")
      expect({ value, ids: await server.listIds(`/models?${query}`) }).toEqual({
        value,
        ids: textModels
      })
    }
  })

  test("are named in the error when they are given twice", async () => {
    for (const path of repeatedParameters) {
      const answer = await server.ask(path)
      const name = /\?(\w+)=/.exec(path)?.[1] ?? ""
      expect({ path, status: answer.status }).toEqual({ path, status: 400 })
      expect(parseErrorEnvelope(answer).message).toBe(`${name}: is given more than once`)
    }
  })

  test("are listed in an error message of bounded length", async () => {
    const answer = await server.ask(`/models?limit=0&sort=beauty&region=${"x".repeat(4_000)}`)
    expect(answer.status).toBe(400)
    const long = await server.ask(`/models?region=${encodeURIComponent("😀".repeat(1_000))}`)
    expect(String(parseErrorEnvelope(long).message).length).toBeLessThan(200)
    expect(String(parseErrorEnvelope(long).message).isWellFormed()).toBe(true)
  })

  test("are accepted in unusual spellings", async () => {
    for (const [query, ids] of unusualQueries) {
      expect({ query, ids: await server.listIds(`/models?${query}`) }).toEqual({ query, ids })
    }
  })
})
