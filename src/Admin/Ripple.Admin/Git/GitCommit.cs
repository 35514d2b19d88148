namespace Ripple.Admin.Git;

/// <summary>A commit that changed a file.</summary>
/// <param name="Id">Its id, in hexadecimal digits.</param>
/// <param name="AuthorName">The author's name.</param>
/// <param name="AuthorEmail">The author's email address.</param>
/// <param name="AuthorDate">The author date, ISO 8601 with the author's offset.</param>
/// <param name="Subject">The first line of its message.</param>
public sealed record GitCommit(string Id, string AuthorName, string AuthorEmail, string AuthorDate, string Subject);
