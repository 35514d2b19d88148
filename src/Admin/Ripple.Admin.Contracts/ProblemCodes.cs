namespace Ripple.Admin.Contracts;

/// <summary>
/// The stable names of what can be wrong: the <c>code</c> of a <see cref="Problem"/>. Names are never given a second meaning.
/// </summary>
public static class ProblemCodes
{
    /// <summary>401: no credential, or one that is not good here.</summary>
    public const string Unauthenticated = "unauthenticated";

    /// <summary>403: the credential does not allow it.</summary>
    public const string NotAllowed = "not_allowed";

    /// <summary>404: there is no such application.</summary>
    public const string UnknownApplication = "unknown_application";

    /// <summary>404: there is no such thing.</summary>
    public const string NotFound = "not_found";

    /// <summary>400: the request is not well formed.</summary>
    public const string InvalidRequest = "invalid_request";

    /// <summary>400: a value of a JSON key is not JSON.</summary>
    public const string InvalidJson = "invalid_json";

    /// <summary>400: the predicate is not one.</summary>
    public const string InvalidPredicate = "invalid_predicate";

    /// <summary>409: there is one of this name.</summary>
    public const string AlreadyExists = "already_exists";

    /// <summary>409: the newest release has that state already.</summary>
    public const string NothingChanged = "nothing_changed";

    /// <summary>409: the idempotency key was used for other content.</summary>
    public const string PublishIdReused = "publish_id_reused";

    /// <summary>412: another release than the expected one is the newest; see <see cref="Problem.NewestRelease"/>.</summary>
    public const string WrongExpectedRelease = "wrong_expected_release";

    /// <summary>413: more bytes or items than allowed.</summary>
    public const string TooLarge = "too_large";

    /// <summary>503: the host has too much to do; try again with the same idempotency key.</summary>
    public const string Busy = "busy";

    /// <summary>503: the host's store failed.</summary>
    public const string StoreFailed = "store_failed";

    /// <summary>500: a fault of the host; its log says more.</summary>
    public const string Internal = "internal";
}
