-- Expected: brackets, batches that GO ends, statements without semicolons,
-- bodies with BEGIN and END; temporary tables are no definitions.
USE [Shop]
GO
SET QUOTED_IDENTIFIER ON
GO
IF NOT EXISTS (SELECT * FROM sys.tables WHERE name = 'Users')
BEGIN
    CREATE TABLE [dbo].[Users] (
        [Id] INT IDENTITY(1,1) NOT NULL,
        [First Name] NVARCHAR(MAX) NULL,
        [GroupId] INT NOT NULL CONSTRAINT FK_Group FOREIGN KEY REFERENCES [dbo].[Groups] ([Id]),
        CONSTRAINT [PK_Users] PRIMARY KEY CLUSTERED ([Id] ASC)
    )
END
GO
/****** Object:  StoredProcedure [dbo].[GetUser] ******/
CREATE OR ALTER PROCEDURE [dbo].[GetUser]
    @Id INT,
    @Name NVARCHAR(50) = N'x;y' OUTPUT
AS
BEGIN
    SET NOCOUNT ON;
    CREATE TABLE #tmp (a int);
    BEGIN TRY
        BEGIN TRAN
        SELECT CASE WHEN @Id = 1 THEN 2 END;
        COMMIT
    END TRY
    BEGIN CATCH
        ROLLBACK;
    END CATCH
END
GO
CREATE PROC dbo.Plain AS
SELECT 1;
UPDATE dbo.Users SET Id = 2;
GO
CREATE FUNCTION dbo.fn (@a int) RETURNS TABLE AS RETURN (SELECT * FROM dbo.Users)
GO
CREATE TRIGGER trg ON dbo.Users AFTER INSERT AS
BEGIN
  INSERT INTO dbo.Log SELECT 1;
END
GO
CREATE NONCLUSTERED INDEX IX_Name ON dbo.Users ([First Name]) INCLUDE (Id)
CREATE TYPE dbo.Ids AS TABLE (Id int NOT NULL, INDEX ix (Id))
ALTER TABLE [dbo].[Users] WITH CHECK ADD CONSTRAINT [FK_X] FOREIGN KEY([GroupId]) REFERENCES [dbo].[Groups] ([Id])
ALTER TABLE dbo.Users ADD Age int NULL, Born date
GO
CREATE VIEW dbo.V AS SELECT u.[Id] FROM [dbo].[Users] u INNER JOIN dbo.Groups g ON g.Id = u.GroupId
