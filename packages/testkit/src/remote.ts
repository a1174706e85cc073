export { serveParent } from './remote/serve.ts'
export { type RemoteProcess, startProcess, whyNot } from './remote/start.ts'
export { type Callable, CannotCross, type ErrorClass, notice } from './remote/wire.ts'
