import * as client from '@postern/react'
import { mount } from './journey.tsx'

mount(client)
