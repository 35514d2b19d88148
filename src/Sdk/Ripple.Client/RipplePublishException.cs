using Ripple.Engine.Protocol;

namespace Ripple.Client;

/// <summary>A host refused a publish or a rollback: nothing was released.</summary>
public sealed class RipplePublishException : RippleException
{
    /// <summary>Makes one without code.</summary>
    public RipplePublishException()
        : this("The publish was refused.")
    {
    }

    /// <summary>Makes one without code.</summary>
    public RipplePublishException(string message)
        : base(message)
    {
    }

    /// <summary>Makes one without code.</summary>
    public RipplePublishException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Makes one.</summary>
    /// <param name="code">Why.</param>
    /// <param name="message">What to do.</param>
    /// <param name="publishId">The publish.</param>
    /// <param name="newestRelease">The newest release, where the host said it.</param>
    public RipplePublishException(ErrorCode code, string message, Guid publishId, ulong? newestRelease = null)
        : base(code, message)
    {
        PublishId = publishId;
        NewestRelease = newestRelease;
    }

    /// <summary>The publish that was refused.</summary>
    public Guid PublishId { get; }

    /// <summary>With <see cref="ErrorCode.WrongExpectedRelease"/>: the newest release. Null otherwise.</summary>
    public ulong? NewestRelease { get; }
}
