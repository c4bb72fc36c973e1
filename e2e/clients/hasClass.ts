/** Whether an error has a class of this name. A library may have another version of the class than the tests. */
export const hasClass = (error: unknown, name: string): boolean => {
  for (let type: unknown = error; typeof type === "object" && type !== null;) {
    if (type.constructor.name === name) return true
    type = Object.getPrototypeOf(type)
  }
  return false
}
