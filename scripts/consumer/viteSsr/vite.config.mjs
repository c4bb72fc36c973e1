/** Builds for the server with every package inside the bundle, so that Vite has resolved each of them. */
export default {
  logLevel: "warn",
  ssr: { noExternal: true },
  build: {
    ssr: "main.ts",
    target: "es2024",
    outDir: "out",
    rolldownOptions: { output: { entryFileNames: "main.mjs" } }
  }
}
