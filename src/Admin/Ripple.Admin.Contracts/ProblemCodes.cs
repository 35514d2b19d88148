namespace Ripple.Admin.Contracts;

/// <summary>The stable codes of errors: the <c>code</c> of a <see cref="Problem"/>. A code never changes its meaning.</summary>
public static class ProblemCodes
{
    /// <summary>401: there is no credential, or it is not valid here.</summary>
    public const string Unauthenticated = "unauthenticated";

    /// <summary>403: the credential does not allow it.</summary>
    public const string NotAllowed = "not_allowed";

    /// <summary>404: there is no such application.</summary>
    public const string UnknownApplication = "unknown_application";

    /// <summary>404: there is no such item.</summary>
    public const string NotFound = "not_found";

    /// <summary>400: the request is malformed.</summary>
    public const string InvalidRequest = "invalid_request";

    /// <summary>400: the value of a JSON key is not JSON.</summary>
    public const string InvalidJson = "invalid_json";

    /// <summary>400: the predicate is not valid.</summary>
    public const string InvalidPredicate = "invalid_predicate";

    /// <summary>409: an item with this name already exists.</summary>
    public const string AlreadyExists = "already_exists";

    /// <summary>409: the newest release already has that state.</summary>
    public const string NothingChanged = "nothing_changed";

    /// <summary>409: the idempotency key was already used for different content.</summary>
    public const string PublishIdReused = "publish_id_reused";

    /// <summary>412: the newest release is not the expected one; see <see cref="Problem.NewestRelease"/>.</summary>
    public const string WrongExpectedRelease = "wrong_expected_release";

    /// <summary>From the client, not from a host: the document does not take the edit.</summary>
    public const string EditRefused = "edit_refused";

    /// <summary>From the client, not from a host: another changed the place of an edit meanwhile.</summary>
    public const string EditConflict = "edit_conflict";

    /// <summary>307: another host leads the cluster; the location is the same request there.</summary>
    public const string NotLeader = "not_leader";

    /// <summary>413: there are more bytes or items than allowed.</summary>
    public const string TooLarge = "too_large";

    /// <summary>503: the host is overloaded; try again with the same idempotency key.</summary>
    public const string Busy = "busy";

    /// <summary>503: the host's store failed.</summary>
    public const string StoreFailed = "store_failed";

    /// <summary>500: what the host's store has is not what was released, and is not given out; the host's log names it.</summary>
    public const string StoreDamaged = "store_damaged";

    /// <summary>500: an internal fault of the host; its log has details.</summary>
    public const string Internal = "internal";
}
