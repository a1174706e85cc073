import { readSync, writeSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'

/** Serializes a value, prefixed with its length. */
export function toFrame(value: unknown): Buffer {
  const content = serialize(value)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(content.length)
  return Buffer.concat([length, content])
}

/** Buffers the data of a stream, and emits each complete frame. */
export function frameReader(onFrame: (value: unknown) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32LE()) {
      const end = 4 + rest.readUInt32LE()
      const frame = rest.subarray(4, end)
      rest = rest.subarray(end)
      onFrame(deserialize(frame))
    }
  }
}

function readExactly(file: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  for (let offset = 0; offset < length; ) {
    const count = readSync(file, buffer, offset, length - offset, null)
    // The other process has exited, so nothing can read a result.
    if (count === 0) process.exit(0)
    offset += count
  }
  return buffer
}

/** Writes a frame and blocks until one is received. */
export function exchange(file: number, value: unknown): unknown {
  const frame = toFrame(value)
  for (let offset = 0; offset < frame.length; ) offset += writeSync(file, frame, offset)
  return deserialize(readExactly(file, readExactly(file, 4).readUInt32LE()))
}
