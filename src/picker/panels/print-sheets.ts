// Prints pages that were drawn: only they are on the paper (picker.css, `@media print`).

/** Resolves when the person has printed them, or has not. */
export async function printSheets(pages: readonly Blob[]): Promise<void> {
  const paper = document.createElement('div');
  paper.className = 'paper';
  const addresses = pages.map((page) => URL.createObjectURL(page));
  const images = addresses.map((address) => {
    const image = new Image();
    image.alt = '';
    image.src = address;
    paper.append(image);
    return image;
  });
  document.body.append(paper);
  try {
    await Promise.all(images.map((image) => image.decode()));
    print();
  } finally {
    paper.remove();
    for (const address of addresses) URL.revokeObjectURL(address);
  }
}
