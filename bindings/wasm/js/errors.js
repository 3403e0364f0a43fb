/** An error of the package: `code` names its family, the message is the library's. */
export class KomadaiError extends Error {
    constructor(code, message) {
        super(message);
        this.name = "KomadaiError";
        this.code = code;
    }
}
