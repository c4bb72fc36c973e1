/** The Dockerfile of `signalbox serve`: its instructions, and the commands in them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { DockerfileParser } from "dockerfile-ast"

const path = join(import.meta.dirname, "../../docker/Dockerfile")

export const dockerfile = readFileSync(path, "utf8")

const instructions = DockerfileParser.parse(dockerfile).getInstructions()

/** The arguments of the instructions with this keyword, in their order. */
export const listArguments = (keyword: string): ReadonlyArray<string> =>
  instructions
    .filter((instruction) => instruction.getKeyword() === keyword)
    .map((instruction) => instruction.getArgumentsContent() ?? "")

/** The command in the last instruction with this keyword, in its JSON form. */
export const readCommand = (keyword: string): ReadonlyArray<string> => {
  const content = listArguments(keyword).at(-1) ?? ""
  return JSON.parse(content.slice(content.indexOf("[")))
}
