using Ripple.Engine.Protocol;

namespace Ripple.Client;

/// <summary>A publish or a rollback is not valid, or a host refused it: nothing was released.</summary>
public sealed class RipplePublishException : RippleException
{
    /// <summary>Creates an exception with a default message and no code.</summary>
    public RipplePublishException()
        : this("The publish was refused.")
    {
    }

    /// <summary>Creates an exception with no code.</summary>
    public RipplePublishException(string message)
        : base(message)
    {
    }

    /// <summary>Creates an exception with a cause and no code.</summary>
    public RipplePublishException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Creates an exception for a publish.</summary>
    /// <param name="code">The reason for the refusal.</param>
    /// <param name="message">What was wrong and what to do.</param>
    /// <param name="publishId">The publish.</param>
    /// <param name="newestRelease">The newest release, if the host reported it.</param>
    /// <param name="newestGeneration">Its generation, if the host reported it.</param>
    public RipplePublishException(
        ErrorCode code, string message, Guid publishId, ulong? newestRelease = null, uint? newestGeneration = null)
        : base(code, message)
    {
        PublishId = publishId;
        NewestRelease = newestRelease;
        NewestGeneration = newestGeneration;
    }

    /// <summary>The publish that was refused.</summary>
    public Guid PublishId { get; }

    /// <summary>With <see cref="ErrorCode.WrongExpectedRelease"/>: the newest release. Null otherwise.</summary>
    public ulong? NewestRelease { get; }

    /// <summary>With <see cref="ErrorCode.WrongExpectedRelease"/>: the generation of the newest release. Null otherwise.</summary>
    public uint? NewestGeneration { get; }
}
