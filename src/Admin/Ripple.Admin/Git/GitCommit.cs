namespace Ripple.Admin.Git;

/// <summary>A commit that changed a file.</summary>
/// <param name="Id">Its id, in hexadecimal digits.</param>
/// <param name="AuthorName">Who wrote it.</param>
/// <param name="AuthorEmail">Their address.</param>
/// <param name="AuthorDate">When, ISO 8601 with the author's offset.</param>
/// <param name="Subject">The first line of its message.</param>
public sealed record GitCommit(string Id, string AuthorName, string AuthorEmail, string AuthorDate, string Subject);
