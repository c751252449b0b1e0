/** Texts of the pages of cameras. */

export const CAMERA_TEXTS = {
  cameras: {
    title: 'Cameras',
    intro:
      'A camera has an id that clients send with its faces. Its regions say where faces are of interest.',
    create: 'Add a camera',
    empty: 'There are no cameras yet.',
    unnamed: 'Camera without a name',
    id: 'Id',
    enabled: 'Enabled',
    disabled: 'Disabled',
    rot: 'Region of tracking',
    roi: 'Region of interest',
    whole: 'whole picture',
    region: ([width, height, x, y]: readonly number[]) => `${width} × ${height} at ${x}, ${y}`,
  },

  camera: {
    back: 'All cameras',
    createTitle: 'Add a camera',
    editTitle: 'Edit the camera',
    meta: 'Name',
    url: 'Address of the stream',
    urlHint:
      'For example rtsp://192.0.2.7/stream. The client that reads the camera uses it. Stored passwords are shown as ***: leave them, or type others.',
    detector: 'Client that reads the camera',
    retention: 'Delete faces after days',
    retentionHint: 'Empty: never',
    enabled: 'Enabled',
    save: 'Save',
    saving: 'Saving …',
    saved: 'Saved.',
    deletion: {
      label: 'Delete the camera',
      title: 'Delete this camera?',
      text: 'Its faces and its events stay. Clients can no longer post faces with its id.',
      confirm: 'Delete the camera',
    },
    unfinished: (region: string) =>
      `${region}: fill in all four numbers, or none. Width and height are above 0.`,
  },

  cameraState: {
    title: 'State',
    live: 'Frames arrive.',
    silent: 'A watcher has read the camera, and no frames arrive.',
    unwatched: 'No watcher reads the camera. mien watch does.',
    fps: 'Frames',
    rate: (fps: number) => `${fps} a second`,
    size: 'Size',
    since: 'Watched since',
    error: 'Last error',
    picture: 'The last frame, with boxes around faces',
    waiting: 'The picture comes in a few seconds.',
  },

  regions: {
    title: 'Regions',
    hint: 'Choose a region and draw it with the mouse. Drag the region or its corner to change it. Pixels are those of the stream.',
    rotHint: 'Faces are detected and tracked only inside it.',
    roiHint: 'Only faces detected inside it are posted.',
    picture: 'A picture of the camera',
    surface: 'Drawing surface',
    size: (width: number, height: number) => `${width} × ${height} pixels`,
    draw: (region: string) => `Draw: ${region}`,
    remove: (region: string) => `Remove: ${region}`,
    sides: { width: 'Width', height: 'Height', x: 'Left', y: 'Top' },
  },
}
