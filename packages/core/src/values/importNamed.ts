/** Imports one export of a module with the first call, so that what few requests need costs nothing at the start. */
export const importNamed =
  <Module, Name extends keyof Module>(
    load: () => Promise<Module>,
    name: Name
  ): (() => Promise<Module[Name]>) =>
  async () =>
    (await load())[name]
