using System.Security;
using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>A token, without its secret unless it was just made.</summary>
public sealed class RippleToken
{
    internal RippleToken(TokenInfo info, SecureString? connectionString = null, string? path = null)
    {
        TokenId = info.TokenId;
        Name = info.Name;
        State = info.State;
        Created = info.Created;
        Expires = info.Expires;
        Revoked = info.Revoked;
        MadeBy = info.MadeBy;
        Roles = [.. info.Roles.Select(RippleRole.Text)];
        ConnectionString = connectionString;
        Path = path;
    }

    /// <summary>Its id.</summary>
    public string TokenId { get; }

    /// <summary>Its display name; empty if it has none.</summary>
    public string Name { get; }

    /// <summary>Whether it is valid.</summary>
    public TokenState State { get; }

    /// <summary>When it was created, UTC.</summary>
    public DateTimeOffset Created { get; }

    /// <summary>When it expires, UTC; null if never.</summary>
    public DateTimeOffset? Expires { get; }

    /// <summary>When it was revoked, UTC; null if it was not.</summary>
    public DateTimeOffset? Revoked { get; }

    /// <summary>The id of the token that made it; null if the host did.</summary>
    public string? MadeBy { get; }

    /// <summary>Its roles.</summary>
    public string[] Roles { get; }

    /// <summary>The connection string of a token that was just made with <c>-AsSecureString</c>; otherwise null.</summary>
    public SecureString? ConnectionString { get; }

    /// <summary>The file that has the connection string of a token that was just made with <c>-Path</c>; otherwise null.</summary>
    public string? Path { get; }
}
