/** The Dockerfile of `signalbox serve`, linted, and its health check against a server. No image is built. */
import { execFile } from "node:child_process"
import { validate, ValidationSeverity } from "dockerfile-utils"
import { expect, test } from "vitest"
import { dockerfile, listArguments, readCommand } from "./dockerfile.ts"
import { makeServeFolder, ServeProcess } from "./ServeProcess.ts"

/** The exit code of the health check in a container with this port. */
const checkHealth = (port: string): Promise<number> => {
  const [, ...args] = readCommand("HEALTHCHECK")
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env: { PORT: port } })
    child.once("close", (code) => resolve(code ?? -1))
  })
}

test("the Dockerfile has no mistake that its linter knows", () => {
  const strict = {
    deprecatedMaintainer: ValidationSeverity.ERROR,
    directiveCasing: ValidationSeverity.ERROR,
    emptyContinuationLine: ValidationSeverity.ERROR,
    instructionCasing: ValidationSeverity.ERROR,
    instructionCmdMultiple: ValidationSeverity.ERROR,
    instructionEntrypointMultiple: ValidationSeverity.ERROR,
    instructionHealthcheckMultiple: ValidationSeverity.ERROR,
    instructionJSONInSingleQuotes: ValidationSeverity.ERROR,
    instructionWorkdirRelative: ValidationSeverity.ERROR
  }
  expect(validate(dockerfile, strict)).toEqual([])
  expect(validate("FROM node\nSTOPSIGNL SIGTERM\n", strict)).toHaveLength(1)
})

test("the container runs without rights, keeps its data in a volume, and ends by SIGTERM", () => {
  expect(listArguments("FROM")).toHaveLength(2)
  expect(listArguments("USER")).toEqual(["node"])
  expect(listArguments("WORKDIR").at(-1)).toBe("/data")
  expect(readCommand("VOLUME")).toEqual(["/data"])
  expect(listArguments("STOPSIGNAL")).toEqual(["SIGTERM"])
})

test("the health check follows the readiness of the server", async () => {
  await using folder = await makeServeFolder("export default { upstreams: [], models: [] }")
  await using server = await ServeProcess.start(folder)
  const { port } = new URL(await server.url)
  expect(await checkHealth(port)).toBe(0)
  expect(await server.stop()).toBe(0)
  expect(await checkHealth(port)).toBe(1)
})
