/** Says where a configuration cannot be imported, why, and what to do. */
import { pathToFileURL } from "node:url"

/** `path` is the path of the file. */
export const describeImportError = (path: string, error: unknown): string => {
  if (!(error instanceof Error)) {
    return `${path} threw ${typeof error}, which is no Error: ${String(error)}`
  }
  return `${path}${findLine(path, error)}: ${error.message.replace(` imported from ${path}`, "")}${advise(error)}`
}

/** The first line of the file in the stack, such as `:12`. Frames have its url. */
const findLine = (path: string, { stack = "" }: Error): string =>
  [path, pathToFileURL(path).pathname]
    .flatMap((place) => stack.split(place).slice(1))
    .map((rest) => /^:\d+/.exec(rest)?.[0])
    .find((line) => line !== undefined) ?? ""

const advise = (error: Error): string => {
  // In a folder whose package.json says "type": "commonjs", as npm init writes it: https://nodejs.org/api/packages.html#type
  if (
    error instanceof SyntaxError &&
    /outside a module|Unexpected token 'export'/.test(error.message)
  ) {
    return '. Its package.json has "type": "commonjs": rename the file to signalbox.config.mts, or set "type": "module"'
  }
  switch ("code" in error ? error.code : undefined) {
    case "ERR_MODULE_NOT_FOUND": {
      const [, specifier] = /Cannot find package '([^']+)'/.exec(error.message) ?? []
      return specifier === undefined
        ? ". Is the file there? Imports need its ending, such as ./models.ts"
        : `. Install it: npm install ${specifier}`
    }
    case "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX":
      return ". Node runs TypeScript by removing its types: write it without syntax that needs compiling"
    case "ERR_UNKNOWN_FILE_EXTENSION":
      return ". TypeScript needs Node 22.19 or newer; or write the configuration as signalbox.config.mjs"
    default:
      return ""
  }
}
